export { StoriesStrip } from './StoriesStrip'

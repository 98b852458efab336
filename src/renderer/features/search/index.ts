export { focusSearch, SearchBox } from './SearchBox'

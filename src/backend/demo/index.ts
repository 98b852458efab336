export { refreshDemoStories } from './refresh-stories'
export { seedDemo } from './seed-demo'

export { openStoryId, withStory } from './address'
export { AddStoryLink, StoryLink } from './components/StoryLink'
export { StoriesStrip } from './StoriesStrip'
export { StoryOverPage } from './StoryOverPage'

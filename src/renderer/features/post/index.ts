export { PostCard } from './components/PostCard'
export { POST_COLUMNS, seedPosts } from './queries'

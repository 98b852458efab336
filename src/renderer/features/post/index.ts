export { PostCard } from './components/PostCard'
export { POST_COLUMNS, type Post, postKeys, seedPosts, usePostQuery } from './queries'

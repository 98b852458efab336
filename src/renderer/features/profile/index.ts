export { PostGrid } from './components/PostGrid'
export { EditProfileScreen, ProfileScreen } from './screens'

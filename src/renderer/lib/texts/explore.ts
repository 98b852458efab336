import { counted, formatCount } from './counts'

export const explore = {
  title: 'Explore',
  popular: 'Popular hashtags',
  followed: 'Followed hashtags',
  photos: 'Recent photos',
  posts: (n: number, isMore: boolean) => (isMore ? `${formatCount(n)}+ posts` : counted(n, 'post', 'posts')),
  none: 'Nothing here yet',
  noPhotos: 'Public photos of other members appear here.',
  noHashtag: 'Posts with this hashtag appear here.',
  noPlace: 'Posts from this place appear here.',
} as const

import { counted, formatCount } from '#/renderer/lib/texts/counts'

export const explore = {
  title: 'Explore',
  popular: 'Popular hashtags',
  followed: 'Followed hashtags',
  photos: 'Recent photos and videos',
  posts: (n: number, isMore: boolean) => (isMore ? `${formatCount(n)}+ posts` : counted(n, 'post', 'posts')),
  none: 'Nothing here yet',
  noPhotos: 'Public photos and videos of other members appear here. Your own are on your profile.',
  noHashtag: 'Posts with this hashtag appear here. Write it in a post to start.',
  noPlace: 'Posts from this place appear here. Choose it as the location of a post to start.',
} as const

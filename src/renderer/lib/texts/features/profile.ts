import { counted, formatCount } from '#/renderer/lib/texts/counts'
import { isolate } from '#/shared/bidi'
import { TEXT_LIMITS, USERNAME_HOLD_DAYS } from '#/shared/limits'

export const profile = {
  notFoundTitle: 'User not found',
  notFoundBody: "This user doesn't exist or has been deleted.",
  posts: (n: number) => counted(n, 'post', 'posts'),
  followers: (n: number) => counted(n, 'follower', 'followers'),
  following: (n: number) => `${formatCount(n)} following`,
  tabs: { posts: 'POSTS', saved: 'SAVED', tagged: 'TAGGED' },
  layout: 'Layout',
  layouts: { squares: 'Grid', justified: 'Photos' },
  noPosts: 'No Posts Yet',
  noOwnPosts: "When you share photos, they'll appear on your profile.",
  noSaved: 'No Saved Posts',
  noSavedBody: 'Save posts to see them here.',
  noTagged: 'No Tagged Posts',
  noTaggedBody: "Posts you're tagged in will appear here.",
  comingSoon: 'This feature is coming soon!',
  morePosts: 'Loading more posts',
  edit: 'Edit Profile',
  options: 'Options',
  message: 'Message',
  private: 'This account is private',
  privateBody: 'Follow this account to see its posts.',
  privateAsked: 'You will see its posts once your request is accepted.',
} as const

export const people = {
  follow: 'Follow',
  followBack: 'Follow back',
  followsYou: 'Follows you',
  unfollow: 'Unfollow',
  requested: 'Requested',
  cancelRequest: 'Cancel request',
  /** A follow or its end that was undone, because the server did not take it. */
  notStored: 'Following could not be changed. Try again.',
  unfollowTitle: (username: string) => `Unfollow ${isolate(username)}?`,
  unfollowBody: 'This account is private. You will have to ask again to follow it.',
  remove: 'Remove',
  removeTitle: (username: string) => `Remove ${isolate(username)}?`,
  removeBody: 'They no longer follow you. They are not told.',
  lists: { followers: 'Followers', following: 'Following', likes: 'Likes' },
  none: {
    followers: 'No followers yet.',
    following: 'Follows nobody yet.',
    likes: 'No likes yet.',
  },
  more: 'Loading more members',
  toFollow: 'People to follow',
  followedBy: (username: string, others: number) =>
    others === 0
      ? `Followed by ${isolate(username)}`
      : `Followed by ${isolate(username)} and ${counted(others, 'other', 'others')}`,
} as const

export const editProfile = {
  changePhoto: 'Change profile photo',
  removePhoto: 'Remove photo',
  /** Shown once the username is changed. */
  formerUsernames: `Your last two usernames stay reserved for you for ${USERNAME_HOLD_DAYS} days.`,
  fullName: 'Full Name',
  bio: 'Bio',
  bioPlaceholder: 'Tell us about yourself...',
  website: 'Website',
  websitePlaceholder: 'https://example.com',
  websiteDisguised:
    'This address has invisible characters or a user name, so it can look like another one. Type it again.',
  websiteInvalid: 'This is not a web address. It begins with https:// or http://.',
  websiteTooLong: `A website address has at most ${TEXT_LIMITS.website} characters.`,
  save: 'Save Changes',
  saving: 'Saving...',
  failed: 'An error occurred while updating your profile',
  cropTitle: 'Position your photo',
  cropHint: 'Drag the photo, or move it with the arrow keys. Plus and minus zoom.',
  cropSideways: 'Position sideways',
  cropUpright: 'Position up and down',
  cropZoom: 'Zoom',
  usePhoto: 'Use photo',
  preparingPhoto: 'One moment...',
} as const

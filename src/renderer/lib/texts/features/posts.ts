import { counted, formatCount } from '#/renderer/lib/texts/counts'
import { clock, spoken } from '#/renderer/lib/texts/lengths'
import { isolate } from '#/shared/bidi'

/** Which media of a post are videos. */
type Videos = readonly boolean[]

/** 'Photo 2 of 3' would count the videos as photos. */
function positionOf(position: number, count: number, videos: Videos): string {
  const isMixed = videos.includes(true) && videos.includes(false)
  return `${isMixed ? ',' : ''} ${position} of ${count}`
}

export const feed = {
  label: 'Posts',
  emptyTitle: 'No posts yet',
  emptyBody: 'Start following people or create your first post!',
  createPost: 'Create your first post',
  addPicture: 'Add a profile picture',
  tabsLabel: 'Feeds',
  tabs: { following: 'Following', everyone: 'Everyone', wall: 'Wall' },
  walls: { following: 'Following, photos side by side', everyone: 'Everyone, photos side by side' },
  emptyFollowingTitle: 'Nothing from people you follow',
  emptyFollowingBody: 'Follow people to see their posts here.',
  showEveryone: 'Show everyone’s posts',
  newPosts: 'New posts',
  aside: 'People, hashtags and messages',
  end: 'You have seen everything.',
  loadingMore: 'Loading more posts',
} as const

export const post = {
  by: (username: string) => `Post by ${isolate(username)}`,
  photoBy: (username: string) => `Photo by ${isolate(username)}`,
  videoBy: (username: string) => `Video by ${isolate(username)}`,
  like: 'Like',
  save: 'Save',
  comment: 'Comment',
  options: 'Post options',
  edited: 'edited',
  /** A like or save that was undone, because the server did not take it. */
  notStored: {
    like: 'The like could not be changed. Try again.',
    save: 'The saved post could not be changed. Try again.',
  },
  likes: (n: number) => counted(n, 'like', 'likes'),
  comments: (n: number) => counted(n, 'comment', 'comments'),
  counts: (likes: number, comments: number) =>
    `${counted(likes, 'like', 'likes')}, ${counted(comments, 'comment', 'comments')}`,
  viewComments: (n: number) => (n === 1 ? 'View 1 comment' : `View all ${formatCount(n)} comments`),
  one: 'Post',
  previous: 'Previous post',
  next: 'Next post',
  carousel: 'carousel',
  photos: (n: number, videos: Videos = []) => {
    const moving = videos.filter(Boolean).length
    const words = [
      ...(n > moving ? [counted(n - moving, 'photo', 'photos')] : []),
      ...(moving > 0 ? [counted(moving, 'video', 'videos')] : []),
    ]
    return words.join(' and ')
  },
  photoOf: (position: number, count: number, videos: Videos = []) =>
    `${videos[position - 1] === true ? 'Video' : 'Photo'}${positionOf(position, count, videos)}`,
  video: (seconds: number) => `Video, ${spoken(seconds)}`,
  clock,
  previousPhoto: 'Previous photo',
  nextPhoto: 'Next photo',
  previousMedium: 'Previous photo or video',
  nextMedium: 'Next photo or video',
  zoom: 'Show at full size',
  alt: 'ALT',
  altOf: (position: number, count: number, videos: Videos = []) =>
    `Alt text of ${videos[position - 1] === true ? 'video' : 'photo'}${positionOf(position, count, videos)}`,
  altHint: 'Description of this photo',
  altOfVideoHint: 'Description of this video',
  camera: 'Camera details',
  gone: 'This post was deleted, or its author shares it with fewer people now.',
  goneTitle: 'This post is not here',
  goneBody: 'It was deleted, or its author shares it with fewer people now.',
  notLoaded: 'This post could not be loaded.',
  editPost: 'Edit post',
  saveChanges: 'Save',
  saving: 'Saving...',
  deletePost: 'Delete post',
  deleteTitle: 'Delete this post?',
  deleteBody: 'Its likes and comments go with it. This cannot be undone.',
  deleteCommentTitle: 'Delete this comment?',
  deleteCommentBody: 'Its replies go with it. This cannot be undone.',
  deleteComment: 'Delete comment',
  commentPlaceholder: 'Add a comment...',
  submitComment: 'Post',
  commentList: 'Comments',
  pendingComments: 'Comments that are not sent yet',
  moreComments: 'Show more comments',
  noComments: 'No comments yet. Be the first.',
  commentOptions: (username: string) => `Options of the comment by ${isolate(username)}`,
  likeComment: (username: string) => `Like the comment by ${isolate(username)}`,
  reply: 'Reply',
  replyTo: (username: string) => `Reply to ${isolate(username)}`,
  replyingTo: (username: string) => `Replying to ${isolate(username)}`,
  cancelReply: 'Cancel reply',
  replies: (username: string) => `Replies to ${isolate(username)}`,
  viewReplies: (n: number) => (n === 1 ? 'View 1 reply' : `View ${formatCount(n)} replies`),
  hideReplies: 'Hide replies',
  moreReplies: 'Show more replies',
  commentGone: 'The comment of this link is not here. It was deleted, or its author is hidden from you.',
  left: (n: number) => `${counted(n, 'character', 'characters')} left`,
  tooLong: (n: number) => `${counted(n, 'character', 'characters')} too many`,
} as const

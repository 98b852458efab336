import { counted } from '#/renderer/lib/texts/counts'
import { timeLeft } from '#/renderer/lib/texts/lengths'
import { isolate } from '#/shared/bidi'
import { STORY, STORY_HOURS, STORY_VIDEO } from '#/shared/limits'

export const stories = {
  by: (username: string) => `Story by ${isolate(username)}`,
  ofMember: (username: string) => `Stories by ${isolate(username)}`,
  position: (n: number, of: number) => `${n} of ${of}`,
  one: 'Story',
  progress: 'Progress of this story',
  previous: 'Previous story',
  next: 'Next story',
  previousOf: (username: string) => `Back: ${isolate(username)}`,
  nextOf: (username: string) => `Next: ${isolate(username)}`,
  watch: (username: string) => `Watch the stories of ${isolate(username)}`,
  pause: 'Pause',
  play: 'Play',
  soundOn: 'Turn sound on',
  soundOff: 'Turn sound off',
  goneTitle: 'This story is not here',
  goneBody: 'It has expired, was deleted, or is shared with fewer people now.',
  expiredTitle: 'This story has expired',
  expiredBody: `Stories are shown for ${STORY_HOURS} hours.`,
  notLoaded: 'This story could not be loaded.',
  notShown: 'This video cannot be played here.',
  views: (n: number) => counted(n, 'view', 'views'),
  viewersTitle: 'Viewed by',
  noViewers: 'Nobody has seen this story yet.',
  moreViewers: 'Loading more viewers',
  deleteStory: 'Delete story',
  deleteTitle: 'Delete this story?',
  deleteBody: 'Nobody can see it any more. This cannot be undone.',
  replyTo: (username: string) => `Reply to ${isolate(username)}...`,
  reply: 'Send',
  react: (emoji: string) => `React with ${emoji}`,
  sent: 'Sent',
  waiting: 'It will be sent once you are connected.',
  noReplies: 'You can no longer reply to this story.',
  replyKept: 'Your text stays here so that you can copy it.',
} as const

export const makeStory = {
  title: 'Add story',
  insteadOfPost: 'Add a story instead',
  choosePhoto: 'Choose a photo',
  chooseVideo: 'Choose a video',
  hint: 'or drop or paste one here. Of a video, up to 60 seconds are kept.',
  edit: 'Trim',
  limits: `At most ${STORY_VIDEO.seconds} seconds are kept, and the first ${STORY.videoMs / 1_000} of them are shown.`,
  secondsLeft: timeLeft,
  soundLost: 'This computer cannot read the sound of this video. It will be shared without.',
  next: (name: string, more: number) =>
    more === 0
      ? `${isolate(name)} is added when this story is shared.`
      : `${isolate(name)} is added when this story is shared, and ${counted(more, 'more file', 'more files')} after it.`,
  dropHere: 'Drop to add it to your story',
  working: 'Preparing your story',
  uploading: 'Uploading your story',
  preview: 'Your story, as it will be shown',
  caption: 'Caption',
  captionPlaceholder: 'Add a caption...',
  change: 'Change Media',
  share: 'Share',
  sharing: 'Sharing…',
  editLater: 'Share or clear this story first. The other one stays below your bubble.',
  firstSeconds: 'Only its first 15 seconds will be shown.',
} as const

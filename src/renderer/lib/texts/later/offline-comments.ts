/**
 * Shown instead of comments that are not on this device. Not in the index of texts, so that it is not in the first
 * load.
 */
export const offlineComments = {
  comments: 'These comments appear when the connection is back. You can write one now: it is sent then.',
  replies: 'These replies appear when the connection is back.',
} as const

/** In the place of comments that are not on this device. Not in the catalogue's index, so that they are not in the first load. */
export const offlineComments = {
  comments: 'These comments appear when the connection is back. You can write one now: it is sent then.',
  replies: 'These replies appear when the connection is back.',
} as const

/** The reason the embedded server sends when it closes the channels of an ended session. */
export const SESSION_ENDED = 'The session has ended'

/** Why the embedded server closes the channels of a session that has ended. */
export const SESSION_ENDED = 'The session has ended'

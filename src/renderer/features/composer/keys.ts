/** The kind of drafts that keep the composer's fields. */
export const NEW_POST = 'post'

/** The kind of drafts that keep the photos of posts in the outbox. */
export const QUEUED_POST = 'queued post'

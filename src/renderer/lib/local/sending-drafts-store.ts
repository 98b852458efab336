/** The ids of the drafts that this window sends. After a reload there are none. */
export const sendingDrafts = new Set<string>()

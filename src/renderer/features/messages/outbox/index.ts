export { discardMessage, forgetOutbox, retryMessage, sendMessage, startOutbox, useOutbox } from './active'
export type { MessageDraft, OutgoingMessage, OutgoingPhoto } from './types'

export {
  discardMessage,
  forgetOutbox,
  retryMessage,
  sendMessage,
  startOutbox,
  useOutbox,
  useUnsentTimes,
} from './active'
export type { MessageDraft, OutgoingMessage, OutgoingPhoto } from './types'

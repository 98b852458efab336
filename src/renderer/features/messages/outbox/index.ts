export {
  discardMessage,
  forgetOutbox,
  retryMessage,
  sendMessage,
  startOutbox,
  takeRefusedMessage,
  useOutbox,
  useUnsentTimes,
} from './active'
export type { MessageDraft, OutgoingMessage, OutgoingPhoto } from './types'

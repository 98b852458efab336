export { retryDelay } from './backoff'
export { byTime } from './by-time'
export { helpCleaningUp } from './clean-up'
export { connection, onReconnected, useConnection } from './connection'
export { checkConnection, handleSocketClosed, retryNow, startLive, waitForServer } from './live'
export { type CommentNotice, joinPost } from './post-channel'
export {
  type ChangeSource,
  changeSource,
  emitRowChange,
  onCaughtUp,
  onIdsChange,
  onRowChange,
} from './row-changes-store'
export { keepSubscribed } from './subscription'

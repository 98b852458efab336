export { retryDelay } from './backoff'
export { byTime, isAfterMark, type Mark } from './by-time'
export { helpCleaningUp } from './clean-up'
export { connection, handleVersions, onReconnected, useConnection, useMismatch } from './connection'
export { joinGroup } from './group-channel'
export {
  ASK_AGAIN_MS,
  checkConnection,
  handleSocketClosed,
  retryNow,
  startLive,
  waitForFit,
  waitForServer,
} from './live'
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

export { usePending } from './pending'
export type { OutboxRow } from './row'

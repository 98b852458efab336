export { MemberMenuItems } from './components/MemberMenuItems'
export { MutedNote } from './components/MutedNote'
export { SafetyDialogs } from './components/SafetyDialogs'
export { UnblockButton } from './components/UnblockButton'
export { openSafetyDialog } from './dialog-store'
export { MUTED_KEY, type SafetyList } from './keys'
export { setBlocked, setMuted, useMute } from './mutations'
export {
  type SafetyListed,
  useBlockedMemberQuery,
  useBlockedNameQuery,
  useMutedIds,
  useSafetyListQuery,
} from './queries'

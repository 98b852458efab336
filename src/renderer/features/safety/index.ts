export { setBlocked } from './blocks'
export { MemberMenuItems } from './components/MemberMenuItems'
export { MutedNote } from './components/MutedNote'
export { SafetyDialogs } from './components/SafetyDialogs'
export { UnblockButton } from './components/UnblockButton'
export {
  type SafetyList,
  type SafetyListed,
  useBlockedMemberQuery,
  useBlockedNameQuery,
  useSafetyListQuery,
} from './lists'
export { setMuted, useMutedIds } from './mutes'

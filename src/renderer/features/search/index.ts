export { MemberOptions } from './MemberOptions'
export { focusSearch, SearchBox } from './SearchBox'
export { type FoundMember, useMemberCombobox } from './useMemberCombobox'

export { MemberOptions } from './MemberOptions'
export { focusSearch, SearchBox } from './SearchBox'
export { useMemberCombobox } from './useMemberCombobox'

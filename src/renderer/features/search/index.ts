export { MemberOptions, useMemberCombobox } from './components/MemberCombobox'
export { focusSearch, SearchBox } from './components/SearchBox'

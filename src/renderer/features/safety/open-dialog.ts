import { create } from 'zustand'
import type { SafetyMember } from './forget-member'

/** What is asked over the page. */
export type SafetyDialog =
  | { kind: 'block'; member: SafetyMember }
  | { kind: 'report'; member: SafetyMember; postId: string | null }

/** The dialog that is open: menus ask for it and are gone by then. */
export const useSafetyDialog = create<{ dialog: SafetyDialog | null }>(() => ({ dialog: null }))

export function openSafetyDialog(dialog: SafetyDialog | null): void {
  useSafetyDialog.setState({ dialog })
}

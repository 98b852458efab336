import { create } from 'zustand'
import type { SafetyMember } from './model'

export type SafetyDialog =
  | { kind: 'block'; member: SafetyMember }
  | { kind: 'report'; member: SafetyMember; postId: string | null }

/** The open dialog. A store, because the menu that opens it has unmounted by then. */
export const useSafetyDialog = create<{ dialog: SafetyDialog | null }>(() => ({ dialog: null }))

export function openSafetyDialog(dialog: SafetyDialog | null): void {
  useSafetyDialog.setState({ dialog })
}

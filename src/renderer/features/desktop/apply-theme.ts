import type { ThemePreference } from '#/shared/preferences'

/** Applies a theme; `system` follows the system's colour scheme (in Electron: nativeTheme's). */
export function applyTheme(theme: ThemePreference): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

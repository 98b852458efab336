import type { ThemePreference } from '#/shared/preferences'

/** Shows the app in a theme; `system` follows the system's (in Electron: nativeTheme's) colour scheme. */
export function applyTheme(theme: ThemePreference): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

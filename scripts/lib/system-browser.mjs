// @ts-check
import { spawn } from 'node:child_process'

/**
 * The command that opens a URL in the system's browser; null without a display, or in CI.
 * @param {string} url
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv }} [machine]
 * @returns {{ command: string, args: string[] } | null}
 */
export function openCommand(url, { platform, env } = process) {
  if (env.CI || env.BROWSER === 'none') return null
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return null
  return { command: 'xdg-open', args: [url] }
}

/**
 * Opens a URL in the system's browser, if there is one. Failures, such as a missing xdg-open, are ignored, because the terminal also shows the URL.
 * @param {string} url
 */
export function openBrowser(url) {
  const opener = openCommand(url)
  if (opener === null) return
  const child = spawn(opener.command, opener.args, { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

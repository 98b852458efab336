/** On Linux links, badge and progress need an installed desktop entry (browser_linux.cc, launcher_entry.cc), which an AppImage lacks. */
export function lacksDesktopEntry(): boolean {
  return process.platform === 'linux' && process.env.STANDIN_DESKTOP_ENTRY === 'none'
}

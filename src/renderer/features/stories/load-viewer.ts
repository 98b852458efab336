/** Loads what shows stories; once it is there, asking again costs nothing. */
export function loadViewer() {
  return import('./viewer/StoryDialog')
}

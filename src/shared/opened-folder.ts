/** Folder of the page's own server with the videos that the app was opened with (src/main/server/served-videos.ts). */
export const OPENED_FOLDER = '/opened/'

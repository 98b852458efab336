/**
 * Replaces the Storage and Edge Functions clients of supabase-js in the build (electron.vite.config.ts): they would add 8 KB to every
 * first load. The app calls no functions, and its few requests to Storage are in lib/media-store/requests.ts.
 */
export class StorageClient {}
export class StorageApiError extends Error {}
export class FunctionsClient {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends FunctionsError {}
export class FunctionsHttpError extends FunctionsError {}
export class FunctionsRelayError extends FunctionsError {}
export const FunctionRegion = {}

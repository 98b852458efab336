/**
 * Stands in for the clients of Storage and Edge Functions when the app is built (electron.vite.config.ts): supabase-js
 * brings both, the app uses neither, and they would be 8 KB of every first load.
 */
export class StorageClient {}
export class StorageApiError extends Error {}
export class FunctionsClient {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends FunctionsError {}
export class FunctionsHttpError extends FunctionsError {}
export class FunctionsRelayError extends FunctionsError {}
export const FunctionRegion = {}

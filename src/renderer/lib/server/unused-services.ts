/**
 * Replaces the Storage and Edge Functions clients of supabase-js, and the passkeys and wallets of auth-js, in the build
 * (electron.vite.config.ts): they would add 14 KB to every first load. The app uses none of them, and its few requests to Storage are
 * in lib/media-store/requests.ts.
 */
export class StorageClient {}
export class StorageApiError extends Error {}
export class FunctionsClient {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends FunctionsError {}
export class FunctionsHttpError extends FunctionsError {}
export class FunctionsRelayError extends FunctionsError {}
export const FunctionRegion = {}

export class WebAuthnApi {}
/** auth-js calls this before it uses any of the functions below. */
export const browserSupportsWebAuthn = (): boolean => false
const unused = undefined

export {
  unused as createCredential,
  unused as createSiweMessage,
  unused as deserializeCredentialCreationOptions,
  unused as deserializeCredentialRequestOptions,
  unused as fromHex,
  unused as getAddress,
  unused as getCredential,
  unused as serializeCredentialCreationResponse,
  unused as serializeCredentialRequestResponse,
  unused as toHex,
  unused as webAuthnAbortService,
}

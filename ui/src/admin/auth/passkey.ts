// Passkeys (WebAuthn): the browser shows its own dialogs; the server receives JSON.

import { call } from '../api/client'
import { creationOptions, credentialJson, requestOptions } from './passkey-json'

/** The user closed the browser's dialog, or it timed out. */
export class PasskeyCancelled extends Error {
  constructor() {
    super('passkey dialog closed')
    this.name = 'PasskeyCancelled'
  }
}

/** Passkeys need a domain name. */
export function isPasskeySupported(): boolean {
  return (
    isSecureContext &&
    !/^[\d.]+$|^\[/.test(location.hostname) &&
    typeof PublicKeyCredential === 'function'
  )
}

/**
 * Creates a passkey on this device and registers it as `name`. The password also confirms the
 * session, so that no second dialog asks for it.
 */
export async function registerPasskey(password: string, name: string): Promise<void> {
  await confirmWithPassword(password)
  const options = await call<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/api/admin/passkeys/options',
    { password },
  )
  const publicKey = creationOptions(options)
  const credential = await jsonOf(navigator.credentials.create({ publicKey }))
  await call('POST', '/api/admin/passkeys', { name, credential })
}

/** Confirms the session with the password of the account. */
export async function confirmWithPassword(password: string): Promise<void> {
  await call('POST', '/api/auth/confirm', { password })
}

/** Confirms the session with a passkey of this device. */
export async function confirmWithPasskey(): Promise<void> {
  await call('POST', '/api/auth/confirm', { credential: await assertPasskey() })
}

/** Starts a session with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  await call('POST', '/api/auth/passkey', { credential: await assertPasskey() })
}

/** Lets the browser sign a challenge of the server with a passkey. */
async function assertPasskey(): Promise<object> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/api/auth/passkey/options',
  )
  const publicKey = requestOptions(options)
  return jsonOf(navigator.credentials.get({ publicKey }))
}

async function jsonOf(asked: Promise<Credential | null>): Promise<object> {
  try {
    const credential = await asked
    if (credential instanceof PublicKeyCredential) return credentialJson(credential)
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error
  }
  throw new PasskeyCancelled()
}

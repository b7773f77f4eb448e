// Passkeys (WebAuthn): the browser shows its own dialogs; the server receives JSON.

import { call } from '../api/client'

/** The user closed the browser's dialog, or it timed out. */
export class PasskeyCancelled extends Error {
  constructor() {
    super('passkey dialog closed')
    this.name = 'PasskeyCancelled'
  }
}

/** Passkeys need a domain name, and JSON conversion that older browsers lack. */
export function isPasskeySupported(): boolean {
  return (
    isSecureContext &&
    !/^[\d.]+$|^\[/.test(location.hostname) &&
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

/** Creates a passkey on this device and registers it as `name`. */
export async function registerPasskey(password: string, name: string): Promise<void> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/api/admin/passkeys/options',
    { password },
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await jsonOf(navigator.credentials.create({ publicKey }))
  await call('POST', '/api/admin/passkeys', { name, credential })
}

/** Starts a session with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/api/auth/passkey/options',
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await jsonOf(navigator.credentials.get({ publicKey }))
  await call('POST', '/api/auth/passkey', { credential })
}

async function jsonOf(asked: Promise<Credential | null>): Promise<object> {
  try {
    const credential = await asked
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error
  }
  throw new PasskeyCancelled()
}

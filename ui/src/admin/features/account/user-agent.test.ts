import { describe, expect, it } from 'vitest'
import { deviceText } from './user-agent'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'

describe('the name of a device', () => {
  it('is the browser and the system', () => {
    expect(deviceText(CHROME)).toBe('Chrome su Windows')
    expect(deviceText(IPHONE)).toBe('Safari su iPhone')
  })

  it('is honest when nothing is known', () => {
    expect(deviceText('curl/8')).toBe('Dispositivo sconosciuto')
  })
})

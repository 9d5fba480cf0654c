import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError, showSettings } from '../../settings.ts'

const url = 'SIGNALBOX_AUDIT_OTLP_URL'
const headers = 'SIGNALBOX_AUDIT_OTLP_HEADERS'

function violationsOf(variables: Record<string, string>): string {
  try {
    readSettings(variables)
    return ''
  } catch (error) {
    return error instanceof SettingsError ? error.message : String(error)
  }
}

describe('the settings of the audit log', () => {
  it('are off without variables', () => {
    expect(readSettings({}).audit).toEqual({ otlp: undefined, ndjson: false })
  })

  it('name a receiver, with the path of OTLP unless it has another', () => {
    const { otlp } = readSettings({
      [url]: 'http://[fd00::1]:4318',
      [headers]: 'Authorization=Bearer%20a%2Cb, X-Scope-OrgID=acme=1',
    }).audit
    expect(otlp).toEqual({
      url: 'http://[fd00::1]:4318/v1/logs',
      headers: { authorization: 'Bearer a,b', 'x-scope-orgid': 'acme=1' },
    })
    const { audit } = readSettings({ [url]: 'https://otel.example.com/otlp/v1/logs' })
    expect(audit.otlp?.url).toBe('https://otel.example.com/otlp/v1/logs')
  })

  it.each([
    'otel-collector:4318',
    'ftp://otel.example.com',
    'https://user:secret@otel.example.com',
    'https://otel.example.com/?token=secret',
  ])('refuse %s as an address, without the secret in the fault', (value) => {
    expect(violationsOf({ [url]: value })).toMatch(/OTLP_URL must be a URL without a user name/)
    expect(violationsOf({ [url]: value })).not.toContain('secret')
  })

  it.each(['secret', 'a=%E0%A4%A', 'a=b%0D%0Asecret: 1', 'host=secret', 'a b=secret', 'a='])(
    'refuse %s as headers, without the secret in the fault',
    (value) => {
      const violations = violationsOf({ [url]: 'https://otel.example.com', [headers]: value })
      expect(violations).toContain('percent-encoding')
      expect(violations).not.toContain('secret')
    },
  )

  it('refuse headers without a receiver, and another way out than stdout', () => {
    expect(violationsOf({ [headers]: 'a=b' })).toContain(`${headers} needs ${url}`)
    expect(violationsOf({ SIGNALBOX_AUDIT_NDJSON: 'on' })).toContain('must be stdout')
    expect(readSettings({ SIGNALBOX_AUDIT_NDJSON: 'stdout' }).audit.ndjson).toBe(true)
  })

  it('show no header', () => {
    const shown = JSON.stringify(
      showSettings({ [url]: 'https://o.example', [headers]: 'a=hidden' }),
    )
    expect(shown).not.toContain('hidden')
  })
})

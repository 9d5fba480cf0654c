import { describe, expect, it } from 'vitest'
import { findCredential, looksLikeSecret, soundsSecret } from './looks-like-secret.ts'

/** Writes so many characters. No credential stands in this file as a whole: scanners would find it. */
const fill = (length: number, characters = 'aB3') =>
  characters.repeat(Math.ceil(length / characters.length)).slice(0, length)
const hex = (length: number) => fill(length, 'a1f0')
const upper = (length: number) => fill(length, 'A2Z')

/** Keeps the first lines of private keys in pieces too. */
const word: string = 'PRIVATE'

const credentials: Readonly<Record<string, string>> = {
  'PEM, PKCS #8': `-----BEGIN ${word} KEY-----\nMIIE`,
  'PEM, PKCS #1': `-----BEGIN RSA ${word} KEY-----\nMIIE`,
  OpenSSH: `-----BEGIN OPENSSH ${word} KEY-----`,
  PGP: `-----BEGIN PGP ${word} KEY BLOCK-----`,
  age: `AGE-SECRET-KEY-1${upper(58)}`,
  'a server key of ours': `sbx_m2m_${fill(46)}`,
  'a personal token of ours': `sbx_pat_${fill(46)}`,
  'an agent token of ours': `sbx_agt_${fill(46)}`,
  'a relay key of ours': `sbx_rly_${fill(46)}`,
  AWS: `AKIA${upper(16)}`,
  'AWS, temporary': `ASIA${upper(16)}`,
  Alibaba: `LTAI${fill(20)}`,
  GitHub: `ghp_${fill(36)}`,
  'GitHub, OAuth': `gho_${fill(36)}`,
  'GitHub, app': `ghs_${fill(36)}`,
  'GitHub, fine-grained': `github_pat_${fill(22)}_${fill(59)}`,
  GitLab: `glpat-${fill(20)}`,
  Slack: `xoxb-${fill(12, '12')}-${fill(24)}`,
  'Slack, app': `xapp-1-${upper(11)}-${fill(13, '12')}-${hex(64)}`,
  'Slack, webhook': `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${fill(24)}`,
  Discord: `https://discord.com/api/webhooks/${fill(18, '12')}/${fill(68)}`,
  Telegram: `${fill(10, '12')}:AA${fill(33)}`,
  Stripe: `sk_live_${fill(24)}`,
  'Stripe, restricted': `rk_live_${fill(24)}`,
  webhooks: `whsec_${fill(32)}`,
  Square: `sq0atp-${fill(22)}`,
  Shopify: `shpat_${hex(32)}`,
  Google: `AIza${fill(35)}`,
  'Google, client': `GOCSPX-${fill(28)}`,
  'Google, access': `ya29.${fill(60)}`,
  SendGrid: `SG.${fill(22)}.${fill(43)}`,
  Mailgun: `key-${hex(32)}`,
  Mailchimp: `${hex(32)}-us12`,
  Twilio: `SK${hex(32)}`,
  npm: `npm_${fill(36)}`,
  PyPI: `pypi-${fill(80)}`,
  RubyGems: `rubygems_${hex(48)}`,
  'Docker Hub': `dckr_pat_${fill(27)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  OpenAI: `sk-proj-${fill(48)}`,
  'OpenAI, older': `sk-${fill(20)}T3BlbkFJ${fill(20)}`,
  Anthropic: `sk-ant-api03-${fill(90)}`,
  'Hugging Face': `hf_${fill(34)}`,
  Linear: `lin_api_${fill(40)}`,
  Notion: `ntn_${fill(46)}`,
  Atlassian: `ATATT3${fill(180)}`,
  Airtable: `pat${fill(14)}.${hex(64)}`,
  Figma: `figd_${fill(40)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  'New Relic': `NRAK-${upper(27)}`,
  Grafana: `glsa_${fill(32)}_${hex(8)}`,
  'Grafana Cloud': `glc_${fill(60)}`,
  Sentry: `sntrys_${fill(80)}`,
  Dynatrace: `dt0c01.${upper(24)}.${upper(64)}`,
  Vault: `hvs.${fill(90)}`,
  Terraform: `${fill(14)}.atlasv1.${fill(67)}`,
  Pulumi: `pul-${hex(40)}`,
  Doppler: `dp.st.prd.${fill(43)}`,
  Databricks: `dapi${hex(32)}`,
  PlanetScale: `pscale_tkn_${fill(43)}`,
  Supabase: `sbp_${hex(40)}`,
  'Supabase, secret': `sb_secret_${fill(32)}`,
  'Fly.io': `FlyV1 fm2_${fill(100)}`,
}

describe('findCredential', () => {
  it.each(Object.entries(credentials))('knows that of %s, alone and within a text', (_, text) => {
    expect(findCredential(text)).toBeTypeOf('string')
    expect(findCredential(JSON.stringify({ url: `https://api.example.com/?key=${text}` }))).toBe(
      findCredential(text),
    )
    expect(looksLikeSecret(text)).toBe(true)
  })

  it.each([
    '',
    'true',
    'https://api.example.com/v1',
    'sk_live_checkout',
    'ghp_short',
    'AKIA',
    'glpat-dashboard',
    'SG.de.berlin',
    'npm_config_registry',
    `pk_live_${fill(24)}`,
    `sbx_b2m_${fill(46)}`,
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    // A JSON Web Token may be of a public client.
    `eyJhbGciOiJIUzI1NiJ9.${fill(40)}.${fill(43)}`,
    hex(64),
    '01975a3c-7f3e-7c1c-8d6c-0123456789ab',
    `wordAKIA${upper(16)}`,
    `AKIA${upper(17)}`,
  ])('finds none in %j', (text) => expect(findCredential(text)).toBeUndefined())

  it('passes over those that were there before, and not over another of the same kind', () => {
    const known = credentials['GitHub'] ?? ''
    expect(findCredential(`{"a":"${known}"}`, known)).toBeUndefined()
    expect(findCredential(`${known} ghp_${fill(36, 'cD4')}`, known)).toBe('a token of GitHub')
  })

  it('takes milliseconds for the longest value, whatever it says', () => {
    for (const piece of ['sk_live_', 'a1f0', '-----BEGIN A ', 'glpat-x.', 'AKIA2 ']) {
      const text = piece.repeat(65_536 / piece.length)
      const before = performance.now()
      findCredential(text)
      expect(performance.now() - before).toBeLessThan(500)
    }
  })
})

describe('guesses', () => {
  it('take addresses with a password and the beginnings of tokens for secrets, and names', () => {
    expect(looksLikeSecret('postgres://app:hunter2@db/shop')).toBe(true)
    expect(looksLikeSecret('sk_test_1')).toBe(true)
    expect(looksLikeSecret('https://api.example.com')).toBe(false)
    expect(soundsSecret('stripeApiKey')).toBe(true)
    expect(soundsSecret('apiUrl')).toBe(false)
  })
})

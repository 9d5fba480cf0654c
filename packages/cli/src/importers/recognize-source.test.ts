import { describe, expect, it } from 'vitest'
import { recognizeSource } from './recognize-source.ts'

describe('the product of an export', () => {
  it.each([
    ['launchdarkly', '{"items":[{"key":"a","environments":{}}]}'],
    ['launchdarkly', '{"flags":{"a":{"variations":[true,false]}},"segments":{}}'],
    ['launchdarkly', '{"flagValues":{"a":true}}'],
    ['launchdarkly', '{"key":"a","variations":[],"environments":{}}'],
    ['launchdarkly', '[{"name":"A flag","key":"a","variations":[],"environments":{}}]'],
    ['unleash', '{"version":2,"features":[]}'],
    ['growthbook', '{"features":{"a":{"defaultValue":true}}}'],
    ['flagsmith', '{"feature_states":[],"api_key":"k"}'],
    ['flagsmith', '[{"name":"a","default_enabled":true}]'],
    ['configcat', '{"p":{"u":"https://cdn"},"f":{"a":{"t":0}}}'],
    ['flipt', '{"namespace":"default","flags":[{"key":"a"}]}'],
    ['flipt', 'version: "1.4"\nflags:\n  - key: a\n    type: BOOLEAN_FLAG_TYPE\n'],
    ['flagd', '{"flags":{"a":{"variants":{"on":true}}}}'],
    ['flagd', 'flags:\n  a:\n    variants:\n      on: true\n    defaultVariant: on\n'],
    ['go-feature-flag', '{"a":{"variations":{"on":true},"defaultRule":{"variation":"on"}}}'],
    ['go-feature-flag', 'a:\n  variations:\n    on: true\n  defaultRule:\n    variation: on\n'],
    ['posthog', '{"count":1,"results":[{"key":"a","filters":{"groups":[]}}]}'],
    ['posthog', '{"flags":[{"key":"a","filters":{}}],"group_type_mapping":{}}'],
    ['posthog', '[{"id":1,"name":"A flag","key":"a","filters":{"groups":[]}}]'],
    ['dotenv', '# comment\nexport API_URL=https://api\n'],
    ['vercel', '# Created by Vercel CLI\nVERCEL="1"\nAPI_URL="x"\n'],
    ['doppler', '{"API_URL":"https://api"}'],
    ['doppler', '{"API_URL":{"computed":"https://api"}}'],
    ['infisical', '[{"key":"API_URL","value":"x","type":"shared"}]'],
    ['aws-ssm', '{"Parameters":[]}'],
    ['aws-secrets-manager', '{"ARN":"a","Name":"n","SecretString":"{}"}'],
    ['kubernetes', '{"apiVersion":"v1","kind":"List","items":[]}'],
    ['kubernetes', 'apiVersion: v1\nkind: Secret\ndata: {}\n'],
    ['flagsmith', '[{"name":"a","enabled":true}]'],
    ['names', '[{"name":"STRIPE_KEY"}]'],
    ['names', '{"total_count":1,"secrets":[{"name":"STRIPE_KEY"}]}'],
    ['infisical', '{"secrets":[{"secretKey":"A"}]}'],
    ['vercel', '{"envs":[{"key":"A"}]}'],
    ['vault', '{"request_id":"r","lease_id":"","data":{"data":{}}}'],
  ])('is %s for %s', (source, text) => {
    expect(recognizeSource(text)).toBe(source)
  })

  it.each([
    '',
    'hello',
    '{"a":1}',
    '[1]',
    '[{"name":"a","strategies":[]}]',
    '{"API_URL":',
    '<html></html>',
  ])('is none for %j', (text) => {
    expect(recognizeSource(text)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { deriveKey, generateRootKey, parseRootKey, renderRootKey } from './root-key.ts'

describe('parseRootKey', () => {
  it('reads what renderRootKey writes and gives it the same id', () => {
    const rootKey = generateRootKey()
    const text = renderRootKey(rootKey)
    expect(text).toHaveLength(43)
    expect(parseRootKey(text).id).toBe(rootKey.id)
    expect(deriveKey(parseRootKey(text), 'cursors')).toEqual(deriveKey(rootKey, 'cursors'))
  })

  it('refuses other lengths, paddings and alphabets without repeating them', () => {
    const text = renderRootKey(generateRootKey())
    for (const wrong of [
      'a',
      text.slice(1),
      `${text}=`,
      `${text}a`,
      ` ${text}`,
      `${text.slice(1)}_`,
    ]) {
      expect(() => parseRootKey(wrong)).toThrow(
        /^The root key must be 32 bytes as 43 characters of/,
      )
    }
    expect(() => parseRootKey(`${text}a`)).not.toThrow(text)
  })
})

describe('deriveKey', () => {
  it('gives unrelated keys for different labels and root keys', () => {
    const rootKey = generateRootKey()
    const derived = [
      deriveKey(rootKey, 'cursors'),
      deriveKey(rootKey, 'state'),
      deriveKey(rootKey, 'wrap'),
      deriveKey(generateRootKey(), 'cursors'),
    ].map((key) => key.toString('hex'))
    expect(new Set(derived).size).toBe(4)
  })

  it('never changes for a label, or stored data could not be opened', () => {
    const rootKey = parseRootKey('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    expect(rootKey.id).toMatchInlineSnapshot(`"bkbmRLGlzKztSsmq"`)
    expect(deriveKey(rootKey, 'wrap').toString('hex')).toMatchInlineSnapshot(
      `"dee2e94cd907be225517a3f4b7fcbf225d4289a95167db0091f18e16fd45f93d"`,
    )
  })
})

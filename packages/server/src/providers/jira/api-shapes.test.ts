import { describe, expect, it } from 'vitest'
import { parseForeignJson } from '../../egress/foreign-json.ts'
import { parseIssues, parseProjectPage } from './api-shapes.ts'

const siteUrl = 'https://acme.atlassian.net'
const parse = (issue: unknown) => parseIssues({ issues: [issue] }, siteUrl)

describe('parseIssues', () => {
  it('takes what is used of an issue', () => {
    const issue = {
      id: '10011',
      key: 'ABC-5',
      fields: {
        summary: 'Log in',
        issuetype: { name: 'Bug' },
        priority: { name: 'High' },
        assignee: { displayName: 'Ada' },
        status: { name: 'In Review', statusCategory: { key: 'indeterminate' } },
      },
    }
    expect(parse(issue)).toEqual([
      {
        externalId: '10011',
        key: 'ABC-5',
        title: 'Log in',
        type: 'Bug',
        status: 'In Review',
        statusCategory: 'indeterminate',
        assignee: 'Ada',
        priority: 'High',
        url: 'https://acme.atlassian.net/browse/ABC-5',
      },
    ])
  })

  it.each([
    ['no fields', undefined],
    ['fields that are hidden', { summary: null, status: null, assignee: null }],
    [
      'fields of another form',
      { summary: 7, issuetype: 'Bug', status: [], priority: { name: {} } },
    ],
  ])('keeps an issue with %s', (_, fields) => {
    expect(parse({ id: '1', key: 'ABC-5', fields })).toMatchObject([
      { key: 'ABC-5', title: null, type: null, status: null, statusCategory: null, priority: null },
    ])
  })

  it.each(['undefined', 'constructor', 'DONE', '', null, 4])('has no category for %j', (key) => {
    const fields = { status: { name: 'Done', statusCategory: { key } } }
    expect(parse({ id: '1', key: 'ABC-5', fields })).toMatchObject([
      { status: 'Done', statusCategory: null },
    ])
  })

  it('keeps every digit of a long id', () => {
    const body = parseForeignJson('{"issues":[{"id":90071992547409931234,"key":"ABC-5"}]}')
    expect(parseIssues(body, siteUrl)).toMatchObject([{ externalId: '90071992547409931234' }])
  })

  it('loses what is no issue, and not the others', () => {
    const issues = [null, 'ABC-1', { id: '1' }, { id: '2', key: 'ABC-2' }]
    expect(parseIssues({ issues }, siteUrl).map(({ key }) => key)).toEqual(['ABC-2'])
  })

  it.each([{}, [], null, 'issues', { issues: {} }, { errorMessages: ['No'] }])(
    'does not take %j for an answer without issues',
    (body) => {
      expect(() => parseIssues(body, siteUrl)).toThrow(
        expect.objectContaining({ failure: 'unavailable', code: 'unexpected_answer' }),
      )
    },
  )
})

describe('parseProjectPage', () => {
  it('counts what is on the page, whether it can be read or not', () => {
    const values = [{ key: 'ABC', name: 'Shop' }, { key: 'X' }]
    expect(parseProjectPage({ values, isLast: false })).toEqual({
      projects: [{ key: 'ABC', name: 'Shop' }],
      count: 2,
      isLast: false,
    })
  })

  it('ends where it is not said that there is more', () => {
    expect(parseProjectPage({ values: [] }).isLast).toBe(true)
  })

  it('does not take another answer for an empty page', () => {
    expect(() => parseProjectPage({ total: 0 })).toThrow('unexpected_answer')
  })
})

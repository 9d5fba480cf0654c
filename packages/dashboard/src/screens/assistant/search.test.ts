import { expect, it } from 'vitest'
import { readAssistantSearch, toAgentRequest } from './search.ts'

it('reads what an assistant asks for, each parameter as its text', () => {
  const request = new URLSearchParams({
    client_id: 'https://assistant.example/client.json',
    redirect_uri: 'http://localhost:1/callback?a=b&c=d',
    state: '007',
    scope: 'read write',
    other: 'unknown',
  }).toString()
  expect(toAgentRequest(readAssistantSearch({ request, other: 'unknown' }))).toEqual({
    clientId: 'https://assistant.example/client.json',
    redirectUri: 'http://localhost:1/callback?a=b&c=d',
    state: '007',
    scope: 'read write',
  })
})

it('leaves it to the server to refuse an empty request', () => {
  expect(toAgentRequest(readAssistantSearch({ request: 7 }))).toEqual({
    clientId: '',
    redirectUri: '',
  })
})

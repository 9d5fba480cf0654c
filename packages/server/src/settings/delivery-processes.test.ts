import { describe, expect, it } from 'vitest'
import { readDeliveryProcesses, type ProcessNeeds } from './delivery-processes.ts'

function read(text: string | undefined, needs: Partial<ProcessNeeds> = {}) {
  const violations: string[] = []
  const texts = new Map(text === undefined ? [] : [['SIGNALBOX_DELIVERY_PROCESSES', text]])
  const machine = { roles: new Set(['delivery']), cores: 8, platform: 'linux' }
  const processes = readDeliveryProcesses(texts, { ...machine, ...needs }, violations)
  return { processes, violations }
}

describe('the number of delivery processes', () => {
  it('is one by default, as said, or one for each core', () => {
    expect(read(undefined).processes).toBe(1)
    expect(read('3').processes).toBe(3)
    expect(read('auto').processes).toBe(8)
    expect(read('auto', { roles: new Set(['relay']) }).processes).toBe(8)
  })

  it('is a number from 1 to 99', () => {
    for (const text of ['0', '100', '-1', '1.5', 'all']) {
      expect(read(text).violations).toEqual([
        'SIGNALBOX_DELIVERY_PROCESSES must be "auto" or a number from 1 to 99.',
      ])
    }
  })

  it('is one where the process has other roles, and says how to have more', () => {
    const roles = new Set(['api', 'worker', 'delivery'])
    expect(read('1', { roles }).violations).toEqual([])
    for (const text of ['2', 'auto']) {
      expect(read(text, { roles }).violations).toEqual([
        'SIGNALBOX_DELIVERY_PROCESSES needs SIGNALBOX_ROLES=delivery or relay: start the delivery as a program of its own beside the API.',
      ])
    }
  })

  it('is one on a system that does not spread the connections of a port', () => {
    expect(read('auto', { platform: 'darwin' })).toEqual({ processes: 1, violations: [] })
    expect(read('2', { platform: 'darwin' }).violations).toEqual([
      'SIGNALBOX_DELIVERY_PROCESSES needs Linux or FreeBSD, or 1.',
    ])
  })
})

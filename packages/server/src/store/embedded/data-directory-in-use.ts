/** Two processes must not serve from one data directory. The message names the other one. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  readonly pid: number | undefined

  constructor(dataDir: string, pid: number | undefined) {
    const holder = pid === undefined ? 'Another Signalbox' : `Another Signalbox (process ${pid})`
    super(`${holder} is running on ${dataDir}. Stop it, or choose another data directory.`)
    this.pid = pid
  }
}

import { OperatorError } from '../operator-error.ts'

/** Refuses to serve from a data directory that another process serves from. The message names that process. */
export class DataDirectoryInUse extends OperatorError {
  override readonly name = 'DataDirectoryInUse'
  readonly pid: number | undefined

  constructor(dataDir: string, pid: number | undefined) {
    const holder = pid === undefined ? 'Another Signalbox' : `Another Signalbox (process ${pid})`
    super(`${holder} is running on ${dataDir}.`, {
      code: 'data_directory_in_use',
      advice: 'Stop it, or choose another data directory with SIGNALBOX_DATA_DIR.',
    })
    this.pid = pid
  }
}

import { openSqlite } from '../../contracts/testing/sqlite.ts'
import { migrate } from '../../sqlite.ts'
import type { SqliteDatabase } from '../database.ts'

/** A process that migrates a file, and kills itself before the statement that contains a text. Without one, it prints the versions. */
const [file = '', text] = process.argv.slice(2)
const database = openSqlite(file)
const dying: SqliteDatabase = {
  prepare: (sql) => database.prepare(sql),
  exec(sql) {
    for (const statement of sql.split(/(?<=;)/)) {
      if (text !== undefined && statement.includes(text)) process.kill(process.pid, 'SIGKILL')
      if (statement.trim() !== '') database.exec(statement)
    }
  },
}
process.stdout.write(JSON.stringify(migrate(dying)))
database.close()

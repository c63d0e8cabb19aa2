/**
 * The calls that @backtest/framework makes of @prisma/client, over tables in memory: the real client has
 * to be generated, and queries a native engine for each row. All clients share their tables.
 */
const createTable = () => {
  const rows = [];
  const find = ({ where = {} } = {}) =>
    rows.filter((row) => Object.keys(where).every((key) => row[key] === where[key]));
  return {
    create: async ({ data }) => void rows.push(data),
    findMany: async (query) => find(query),
    findUnique: async (query) => find(query)[0] ?? null,
    update: async ({ where, data }) => Object.assign(find({ where })[0], data),
  };
};

const tables = { metaCandle: createTable(), strategy: createTable() };

/** Called with `new`, which yields the object that is returned here. */
export function PrismaClient() {
  return tables;
}

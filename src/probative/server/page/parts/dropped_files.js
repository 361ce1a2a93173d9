// The files that were dropped, also those in folders: [{file, path}], where `path` is the one below what was dropped.
// Files that no reader takes, such as ".DS_Store", are left out of folders.
const HIDDEN = /^[.~$]/;

export async function droppedFiles(transfer) {
  // The entries must be asked for before the first pause: the browser forgets them then.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map((entry) => filesBelow(entry, entry.name)))).flat();
}

export async function filesBelow(entry, path) {
  if (entry.isFile) return [{ file: await new Promise((take, fail) => void entry.file(take, fail)), path }];
  const reader = entry.createReader();
  const children = [];
  for (;;) {
    const some = await new Promise((take, fail) => void reader.readEntries(take, fail)); // A hundred at a time.
    if (!some.length) break;
    children.push(...some.filter(({ name }) => !HIDDEN.test(name)));
  }
  return (await Promise.all(children.map((child) => filesBelow(child, `${path}/${child.name}`)))).flat();
}

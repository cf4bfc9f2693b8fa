setlocal commentstring=#\ %s expandtab shiftwidth=2 softtabstop=2
let b:undo_ftplugin = 'setlocal commentstring< expandtab< shiftwidth< softtabstop<'

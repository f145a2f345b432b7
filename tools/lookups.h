// Faster lookups for the compiled build: tools/compile.py adds this to the C that mypyc generates.
//
// mypyc looks up names of modules, fields of Structs and classes of objects anew at each use. Here each place in the code
// remembers what it found last, as the interpreter does for bytecode. The results are the same as without this file.

#if defined(__GNUC__) && !defined(Py_GIL_DISABLED)

// Fields. A Struct has a slot for each field. A place remembers a class, the name of a field, and where its slot is.
// Both are referenced, so that no other object can get the same address.

#define MAX_MISSES 64  // after so many a place gives up: it meets objects of many classes

typedef struct {
    PyTypeObject *type;
    PyObject *name;
    Py_ssize_t offset;
    int misses;
} FieldCache;

static PyObject *find_field(PyObject *object, PyObject *name, FieldCache *cache) {
    PyTypeObject *type = Py_TYPE(object);
    if (cache->misses < MAX_MISSES && type->tp_getattro == PyObject_GenericGetAttr) {
        cache->misses++;
        PyObject *found = PyObject_GetAttr((PyObject *)type, name);
        if (found == NULL) {
            PyErr_Clear();
        } else if (Py_IS_TYPE(found, &PyMemberDescr_Type)) {
            PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
            if (member->type == T_OBJECT_EX && PyType_IsSubtype(type, PyDescr_TYPE(found))) {
                FieldCache old = *cache;
                Py_INCREF(type);
                Py_INCREF(name);
                *cache = (FieldCache){type, name, member->offset, old.misses};
                Py_XDECREF(old.type);
                Py_XDECREF(old.name);
            }
        }
        Py_XDECREF(found);
    }
    return PyObject_GetAttr(object, name);
}

static inline PyObject *get_field(PyObject *object, PyObject *name, FieldCache *cache) {
    if (Py_TYPE(object) == cache->type && name == cache->name) {
        PyObject *value = *(PyObject **)((char *)object + cache->offset);
        if (value != NULL) {
            return Py_NewRef(value);
        }
    }
    return find_field(object, name, cache);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(object, name) \
    __extension__({ static FieldCache cache; get_field((object), (name), &cache); })

// Names of modules. A place remembers a value until the dict of its module changes.

typedef struct {
    PyObject *key;
    PyObject *value;
    uint64_t version;
    int is_other;  // not the dict of a module
} NameCache;

#if PY_VERSION_HEX < 0x030C0000
static inline uint64_t version_of(PyObject *dict) {  // no two states of any dicts have the same version
    return ((PyDictObject *)dict)->ma_version_tag;
}

static int watch(PyObject *dict) {
    return 1;
}
#else
static uint64_t changes = 1;  // of all modules

static inline uint64_t version_of(PyObject *dict) {
    return changes;
}

static int count_change(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value) {
    changes++;
    return 0;
}

static int watch(PyObject *dict) {
    static int watcher = -1;
    if (watcher < 0) {
        watcher = PyDict_AddWatcher(count_change);
    }
    if (watcher >= 0 && PyDict_Watch(watcher, dict) == 0) {
        return 1;
    }
    PyErr_Clear();
    return 0;
}
#endif

static int is_of_module(PyObject *dict) {
    PyObject *name = PyDict_CheckExact(dict) ? PyDict_GetItemString(dict, "__name__") : NULL;
    PyObject *module = name != NULL && PyUnicode_Check(name) ? PyImport_GetModule(name) : NULL;
    int found = module != NULL && PyModule_Check(module) && PyModule_GetDict(module) == dict;
    Py_XDECREF(module);
    PyErr_Clear();
    return found;
}

static PyObject *find_name(PyObject *dict, PyObject *key, NameCache *cache) {
    PyObject *value = CPyDict_GetItem(dict, key);
    if (value != NULL && !cache->is_other) {
        if (is_of_module(dict) && watch(dict)) {
            NameCache old = *cache;
            *cache = (NameCache){Py_NewRef(key), Py_NewRef(value), version_of(dict), 0};
            Py_XDECREF(old.key);
            Py_XDECREF(old.value);
        } else {
            cache->is_other = 1;
        }
    }
    return value;
}

static inline PyObject *get_name(PyObject *dict, PyObject *key, NameCache *cache) {
    if (cache->key == key && version_of(dict) == cache->version) {
        return Py_NewRef(cache->value);
    }
    return find_name(dict, key, cache);
}

#define CPyDict_GetItem(dict, key) \
    __extension__({ static NameCache cache; get_name((dict), (key), &cache); })

// Classes. The metaclass of Structs leaves it to `type` which objects are instances, but is asked each time.

static int is_plain(PyTypeObject *metaclass) {
    static PyTypeObject *plain;
    if (plain == NULL && metaclass != &PyType_Type) {
        PyObject *check = PyObject_GetAttrString((PyObject *)metaclass, "__instancecheck__");
        PyObject *usual = PyObject_GetAttrString((PyObject *)&PyType_Type, "__instancecheck__");
        if (check != NULL && check == usual) {
            plain = (PyTypeObject *)Py_NewRef(metaclass);
        }
        PyErr_Clear();
        Py_XDECREF(check);
        Py_XDECREF(usual);
    }
    return metaclass == plain;
}

static inline int is_of_class(PyObject *object, PyObject *kind) {
    PyTypeObject *type = Py_TYPE(object);
    if (type == (PyTypeObject *)kind) {
        return 1;
    }
    if ((Py_TYPE(type) == Py_TYPE(kind) || object == Py_None) && is_plain(Py_TYPE(kind))) {
        return PyType_IsSubtype(type, (PyTypeObject *)kind);
    }
    return PyObject_IsInstance(object, kind);
}

// Unions of classes. A place remembers a union and its classes.

typedef struct {
    PyObject *kind;
    PyObject *classes;
} UnionCache;

static PyObject *classes_of(PyObject *kind) {  // NULL if this is no union, or a union of other things than classes
    static PyTypeObject *unions;
    if (unions == NULL) {
        PyObject *example = PyNumber_Or((PyObject *)&PyLong_Type, (PyObject *)&PyUnicode_Type);
        unions = example == NULL ? NULL : (PyTypeObject *)Py_NewRef(Py_TYPE(example));
        Py_XDECREF(example);
    }
    PyObject *classes = Py_IS_TYPE(kind, unions) ? PyObject_GetAttrString(kind, "__args__") : NULL;
    PyErr_Clear();
    if (classes != NULL && PyTuple_CheckExact(classes)) {
        Py_ssize_t place = 0;
        while (place < PyTuple_GET_SIZE(classes) && PyType_Check(PyTuple_GET_ITEM(classes, place))) {
            place++;
        }
        if (place == PyTuple_GET_SIZE(classes)) {
            return classes;
        }
    }
    Py_XDECREF(classes);
    return NULL;
}

static int is_of_union(PyObject *object, PyObject *kind, UnionCache *cache) {
    if (kind != cache->kind) {
        PyObject *classes = classes_of(kind);
        if (classes == NULL) {
            return PyObject_IsInstance(object, kind);
        }
        UnionCache old = *cache;
        *cache = (UnionCache){Py_NewRef(kind), classes};
        Py_XDECREF(old.kind);
        Py_XDECREF(old.classes);
    }
    PyObject *classes = Py_NewRef(cache->classes);  // a metaclass may run any code
    int found = 0;
    for (Py_ssize_t place = 0; found == 0 && place < PyTuple_GET_SIZE(classes); place++) {
        found = is_of_class(object, PyTuple_GET_ITEM(classes, place));
    }
    Py_DECREF(classes);
    return found;
}

static inline int is_instance(PyObject *object, PyObject *kind, UnionCache *cache) {
    return PyType_Check(kind) ? is_of_class(object, kind) : is_of_union(object, kind, cache);
}

#define PyObject_IsInstance(object, kind) \
    __extension__({ static UnionCache cache; is_instance((object), (kind), &cache); })

#endif

#include <lade/lade.h>

typedef struct {
    double f0;
    char *t0;
    double f1;
    char *t1;
    double f2;
    char *t2;
    double f3;
    char *t3;
    double f4;
    char *t4;
    double f5;
    char *t5;
    double f6;
    char *t6;
    double f7;
    char *t7;
    double f8;
    char *t8;
    double f9;
    char *t9;
    double f10;
    char *t10;
    double f11;
    char *t11;
    double f12;
    char *t12;
    double f13;
    char *t13;
    double f14;
    char *t14;
    double f15;
    char *t15;
    double f16;
    char *t16;
    double f17;
    char *t17;
    double f18;
    char *t18;
    double f19;
    char *t19;
    double f20;
    char *t20;
    double f21;
    char *t21;
    double f22;
    char *t22;
    double f23;
    char *t23;
    double f24;
    char *t24;
    double f25;
    char *t25;
    double f26;
    char *t26;
    double f27;
    char *t27;
    double f28;
    char *t28;
    double f29;
    char *t29;
    double f30;
    char *t30;
    double f31;
    char *t31;
    double f32;
    char *t32;
    double f33;
    char *t33;
    double f34;
    char *t34;
    double f35;
    char *t35;
    double f36;
    char *t36;
    double f37;
    char *t37;
    double f38;
    char *t38;
    double f39;
    char *t39;
    double f40;
    char *t40;
    double f41;
    char *t41;
    double f42;
    char *t42;
    double f43;
    char *t43;
    double f44;
    char *t44;
    double f45;
    char *t45;
    double f46;
    char *t46;
    double f47;
    char *t47;
    double f48;
    char *t48;
    double f49;
    char *t49;
} hundred;
LADE_STRUCT(hundred, (value, f0), (text, t0), (value, f1), (text, t1), (value, f2), (text, t2),
            (value, f3), (text, t3), (value, f4), (text, t4), (value, f5), (text, t5), (value, f6),
            (text, t6), (value, f7), (text, t7), (value, f8), (text, t8), (value, f9), (text, t9),
            (value, f10), (text, t10), (value, f11), (text, t11), (value, f12), (text, t12),
            (value, f13), (text, t13), (value, f14), (text, t14), (value, f15), (text, t15),
            (value, f16), (text, t16), (value, f17), (text, t17), (value, f18), (text, t18),
            (value, f19), (text, t19), (value, f20), (text, t20), (value, f21), (text, t21),
            (value, f22), (text, t22), (value, f23), (text, t23), (value, f24), (text, t24),
            (value, f25), (text, t25), (value, f26), (text, t26), (value, f27), (text, t27),
            (value, f28), (text, t28), (value, f29), (text, t29), (value, f30), (text, t30),
            (value, f31), (text, t31), (value, f32), (text, t32), (value, f33), (text, t33),
            (value, f34), (text, t34), (value, f35), (text, t35), (value, f36), (text, t36),
            (value, f37), (text, t37), (value, f38), (text, t38), (value, f39), (text, t39),
            (value, f40), (text, t40), (value, f41), (text, t41), (value, f42), (text, t42),
            (value, f43), (text, t43), (value, f44), (text, t44), (value, f45), (text, t45),
            (value, f46), (text, t46), (value, f47), (text, t47), (value, f48), (text, t48),
            (value, f49), (text, t49))
